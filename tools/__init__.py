"""Programs that make what is published: the pictures of the docs, the reference pages, the site."""
