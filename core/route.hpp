// A route: how a rigid set of cells moves in the plane across an axis, and whether it hits cells
// that stay. Decided exactly.
//
// A pose says where the centre of the moving set is and how far the set has turned. A route is a
// list of poses; from each one to the next leads a leg: a translation if both have the same angle,
// else the rotation about the one pivot that takes the first pose to the second, or an arc of an
// ellipse (arc.hpp). Everything is rational:
//
//     turn = q + t    q quarter turns, and then by the angle whose half has the tangent t, 0 <= t <
//     1
//
// so that cos and sin are rational too. In layers across the axis both sets are unions of oblongs,
// each smaller all around by the tolerance. On a leg, two of them overlap while eight quadratics in
// t are positive, so integers decide whether they ever do. Touching is allowed.
#pragma once

#include "box.hpp"

#include <span>
#include <vector>

namespace kumitate {

// The low corner of a cell. It is in units of which some make a cell: 1, or 2 if pieces may stop
// between the cells.
struct FlatCell {
    std::int32_t layer, u, v;
    friend auto operator<=>(const FlatCell &, const FlatCell &) = default;
};
using FlatPiece = std::vector<FlatCell>;

// Lengths are in grains. A half cell has 1000 of them, so that tolerances are in thousandths of a
// cell, and halves of thousandths.
inline constexpr std::int32_t half_cell_grains = 1000, cell_grains = 2000;

inline constexpr std::int32_t farthest_cell = 1024; // from the origin, in units

// A rectangle: its centre and half its sides.
struct Rectangle {
    std::int32_t x, y, wide, high;
    friend auto operator<=>(const Rectangle &, const Rectangle &) = default;
};

Rectangle turned(Rectangle r, std::int32_t quarters); // counter-clockwise about the origin

struct Meeting {
    Rectangle moves; // seen from the centre of the moving set
    Rectangle stays;
    friend auto operator<=>(const Meeting &, const Meeting &) = default;
};

// What moves and what stays: all pairs of rectangles, in grains, that lie in the same layer. With
// their faces set back by the tolerance they make up the pieces with theirs set back. No pair lies
// inside another.
struct Scene {
    Scene(std::span<const FlatPiece> moving, std::span<const FlatPiece> staying,
          std::int32_t units = 1);

    std::int32_t units;              // in a cell
    std::int32_t centre_u, centre_v; // of the box around the moving set, in half units
    std::int32_t radius = 0; // of the moving set about its centre, in half cells, rounded up
    std::vector<Meeting> meetings;
    FlatPiece moving, staying; // their cells, in the layers of the moving set
};

inline constexpr std::int32_t quarter = 1 << 16; // a quarter turn, and the parts t is counted in

struct Pose {
    std::int64_t x, y, per; // the centre is at (x / per, y / per) cells
    std::int32_t turn;      // in parts of a quarter, as above
    bool on_arc = false; // the leg that leads here is an arc about (about_x / per, about_y / per)
    std::int64_t about_x = 0, about_y = 0;
    friend bool operator==(const Pose &, const Pose &) = default;
};
using Route = std::vector<Pose>;

// The same pose, with a slide or a rotation that leads there.
inline Pose plainly(const Pose &pose) {
    return {pose.x, pose.y, pose.per, pose.turn};
}

Route reversed(const Route &route);

// The same for others to read: the centre is at (x / per, y / per) cells, turned by turn / whole.
struct RoutePose {
    std::int32_t x, y, per, turn, whole, on_arc, about_x, about_y;
    friend bool operator==(const RoutePose &, const RoutePose &) = default;
};

Pose start_of(const Scene &scene);

// After so many quarter turns about the corner (0, 0), and then a shift in units.
Pose lattice_pose(const Scene &scene, std::int32_t quarters, std::int32_t u, std::int32_t v);

// The same route with fewer legs, and shorter ones; or an empty one if a leg hits something. The
// tolerance is in grains.
Route tightened(const Scene &scene, std::int32_t tolerance, const Route &route);

// Whether the moving set hits something on the leg. Also true if the poses lie in different
// quadrants, or if the numbers are too large to decide it.
bool hits(const Scene &scene, std::int32_t tolerance, const Pose &from, const Pose &to);

} // namespace kumitate
