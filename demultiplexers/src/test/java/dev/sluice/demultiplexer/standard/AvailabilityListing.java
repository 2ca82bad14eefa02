package dev.sluice.demultiplexer.standard;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Mechanism;

/** A program that prints which demultiplexers are available in its process, and which are chosen. */
final class AvailabilityListing {

    private AvailabilityListing() {
    }

    public static void main(String[] none) {
        Availability bindings = Bindings.availability();
        say("bindings", bindings.usable(), bindings.reason());
        for (Mechanism factory : Mechanism.available()) {
            Mechanism.Availability found = factory.availability();
            say(factory.name() + (factory.isForThisSystem() ? " at home" : " elsewhere"), found.usable(),
                    found.reason());
        }
        for (Mechanism.Mode mode : Mechanism.Mode.values()) {
            try {
                System.out.println(SmallJvm.MARK + mode + ": "
                        + Mechanism.choose(Mechanism.AUTO, mode).name());
            } catch (IllegalStateException | IllegalArgumentException e) {
                System.out.println(SmallJvm.MARK + mode + ": " + e.getMessage());
            }
        }
    }

    private static void say(String what, boolean usable, String reason) {
        System.out.println(SmallJvm.MARK + what + ": " + (usable ? "yes " : "no ") + reason);
    }
}
