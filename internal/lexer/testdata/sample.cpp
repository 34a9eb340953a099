#include <memory>
#include <vector>
#include "shape.h"

#define CHECK(x) \
  do { if (!(x)) fail(#x, __LINE__); } while (0)

namespace geo {

// A ring of points.
template <typename T>
class Ring final : public Shape {
 public:
  explicit Ring(std::vector<T> points) : points_(std::move(points)) {}
  double area() const override {
    double sum = 0;
    for (size_t i = 0; i + 1 < points_.size(); ++i) {
      sum += points_[i].x * points_[i + 1].y - points_[i + 1].x * points_[i].y;
    }
    CHECK(sum >= 0);
    return sum / 2.0e0;
  }

 private:
  std::vector<T> points_;
};

std::unique_ptr<Shape> make(Kind kind) {
  switch (kind) {
    case Kind::Ring: return std::make_unique<Ring<Point>>(std::vector<Point>{{0, 1}, {1, 0}});
    default: return nullptr; /* no other */
  }
}

}  // namespace geo
