/* Simbody with its Runge-Kutta-Merson integrator; the setting is its accuracy. A bushing is computed by the code by
 * hand and added to the mobility forces. Simbody's angles are relative to the rod before. */
#include <memory>
#include <vector>

#include <Simbody.h>

extern "C" {
#include "bench/peers/peers.h"
}

namespace {

/* Reads angles and rates in global axes. */
void read_state(const peer_mechanism *self, const SimTK::State &state, double *y) {
  for (int i = 0; i < self->n; i++) {
    const bool begins = peer_begins_tree(self, i);
    y[i] = state.getQ()[i] + (begins ? 0 : y[i - 1]);
    y[self->n + i] = state.getU()[i] + (begins ? 0 : y[self->n + i - 1]);
  }
}

class Bushing : public SimTK::Force::Custom::Implementation {
public:
  explicit Bushing(const peer_mechanism *of) : mechanism(of) {}
  void calcForce(const SimTK::State &state, SimTK::Vector_<SimTK::SpatialVec> &, SimTK::Vector_<SimTK::Vec3> &,
                 SimTK::Vector &mobility) const override {
    double y[8], torque[4];
    read_state(mechanism, state, y);
    mechanism->load(y, torque);
    for (int i = 0; i < mechanism->n; i++) { /* acts on the angles of the rod's joint and of the one before */
      mobility[i] += torque[i];
      if (!peer_begins_tree(mechanism, i))
        mobility[i - 1] += torque[i];
    }
  }
  SimTK::Real calcPotentialEnergy(const SimTK::State &) const override { return 0; }

private:
  const peer_mechanism *mechanism;
};

struct Model {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::State start;
};

std::unique_ptr<Model> model;

bool prepare(const peer_mechanism *self) {
  model = std::make_unique<Model>();
  SimTK::Force::UniformGravity(model->forces, model->matter, SimTK::Vec3(0, -9.81, 0));
  std::vector<SimTK::MobilizedBody::Pin> pins;
  for (int i = 0; i < self->n; i++) {
    const int k = peer_kind_of(i);
    const double l = self->length[k], m = self->mass[k], J = m * l * l / 12;
    const SimTK::Inertia about_end(J, J + m * l * l / 4, J + m * l * l / 4);
    const SimTK::Body::Rigid rod(SimTK::MassProperties(m, SimTK::Vec3(l / 2, 0, 0), about_end));
    if (peer_begins_tree(self, i))
      pins.emplace_back(model->matter.updGround(), SimTK::Vec3(self->pivot[i > 0][0], self->pivot[i > 0][1], 0), rod,
                        SimTK::Vec3(0));
    else
      pins.emplace_back(pins.back(), SimTK::Vec3(self->length[peer_kind_of(i - 1)], 0, 0), rod, SimTK::Vec3(0));
  }
  if (self->load != nullptr)
    SimTK::Force::Custom(model->forces, new Bushing(self)); /* the subsystem owns it */
  model->start = model->system.realizeTopology();
  for (int i = 0; i < self->n; i++) {
    const double before = peer_begins_tree(self, i) ? 0 : self->angle[peer_kind_of(i - 1)];
    pins[(size_t)i].setAngle(model->start, self->angle[peer_kind_of(i)] - before);
  }
  return true;
}

bool run(const peer_mechanism *self, double setting, double *y) {
  try {
    SimTK::RungeKuttaMersonIntegrator integrator(model->system);
    integrator.setAccuracy(setting);
    SimTK::TimeStepper stepper(model->system, integrator);
    stepper.initialize(model->start);
    stepper.stepTo(self->end);
    read_state(self, stepper.getState(), y);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

void release() { model.reset(); }

} // namespace

extern "C" const peer peer_simbody = {"Simbody", 1e-2, 0.31622776601683794, prepare, run, release};
