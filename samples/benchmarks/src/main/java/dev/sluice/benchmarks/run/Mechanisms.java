package dev.sluice.benchmarks.run;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The demultiplexers with which Sluice takes part, and what these contestants are called. */
public final class Mechanisms {

    private Mechanisms() {
    }

    /** {@return the best demultiplexer for a Reactor here} */
    public static String ofReactor() {
        return Mechanism.choose(Mechanism.AUTO, Mode.SYNCHRONOUS).name();
    }

    /** {@return the demultiplexers for a Proactor: the best one here, and the emulation on what the Reactor uses} */
    public static Set<String> ofProactor() {
        Set<String> names = new LinkedHashSet<>();
        names.add(Mechanism.choose(Mechanism.AUTO, Mode.ASYNCHRONOUS).name());
        if (isEmulated(ofReactor())) {
            names.add(ofReactor());
        }
        return names;
    }

    /**
     * {@return what the contestant is called}
     *
     * @param demultiplexer of the Reactor
     */
    public static String reactor(String demultiplexer) {
        return "Sluice Reactor, " + demultiplexer;
    }

    /**
     * {@return what the contestant is called}
     *
     * @param demultiplexer of the Proactor
     */
    public static String proactor(String demultiplexer) {
        return "Sluice Proactor, " + (isEmulated(demultiplexer) ? "emulated on " : "") + demultiplexer;
    }

    // An emulation has the name of the synchronous demultiplexer that it stands on.
    private static boolean isEmulated(String name) {
        boolean readiness = false;
        boolean completion = false;
        for (Mechanism factory : Mechanism.available()) {
            if (factory.name().equals(name)) {
                readiness |= factory.mode() == Mode.SYNCHRONOUS;
                completion |= factory.mode() == Mode.ASYNCHRONOUS;
            }
        }
        return readiness && completion;
    }

    /** {@return which demultiplexers that were made for this system do not work here for a Proactor, and why} */
    public static List<String> missingForProactor() {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mode.ASYNCHRONOUS && factory.isForThisSystem())
                .filter(factory -> !factory.availability().usable())
                .map(factory -> proactor(factory.name()) + ": " + factory.availability().reason())
                .toList();
    }
}
