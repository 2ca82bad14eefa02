package dev.sluice.mechanism;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;

/** A program that says what is available in its process, and what comes of choosing. */
final class AvailabilityListing {

    private AvailabilityListing() {
    }

    public static void main(String[] none) {
        say("bindings", Bindings.availability());
        for (DemultiplexerFactory factory : Demultiplexers.available()) {
            say(factory.name() + (factory.isAtHome() ? " at home" : " elsewhere"), factory.availability());
        }
        for (DemultiplexerFactory.Mode mode : DemultiplexerFactory.Mode.values()) {
            try {
                System.out.println(SmallJvm.MARK + mode + ": "
                        + Demultiplexers.choose(Demultiplexers.AUTO, mode).name());
            } catch (IllegalStateException | IllegalArgumentException e) {
                System.out.println(SmallJvm.MARK + mode + ": " + e.getMessage());
            }
        }
    }

    private static void say(String what, Availability availability) {
        System.out.println(SmallJvm.MARK + what + ": " + (availability.usable() ? "yes " : "no ")
                + availability.reason());
    }
}
