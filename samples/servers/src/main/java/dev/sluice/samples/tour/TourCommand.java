package dev.sluice.samples.tour;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice tour}. */
@Command(name = "tour", mixinStandardHelpOptions = true,
        description = "Shows in a minute which mechanisms work on this machine, and how fast an echo and a file read "
                + "are beside "
                + "java.nio.")
public final class TourCommand implements Callable<Integer> {

    private static final int ROUNDS = 3;
    private static final int FILE_SIZE = 32 * 1024 * 1024;
    /** Of the processors, the share that others may use before a warning. */
    private static final double QUIET = 0.3;
    /** How much rounds of the same server may differ before a warning. */
    private static final double STEADY = 1.3;

    @Spec
    private CommandSpec spec;

    @Option(names = "--millis", defaultValue = "600", paramLabel = "MILLISECONDS",
            description = "Duration of each of the four measurements of a server or a file (default: 600).")
    private int millis;

    /** For picocli. */
    public TourCommand() {
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        boolean busy = isBusy();
        out.println("Demultiplexers that work here:");
        out.println("  synchronous (Reactor):   " + names(Mode.SYNCHRONOUS));
        out.println("  asynchronous (Proactor): " + names(Mode.ASYNCHRONOUS));
        out.println();
        out.println("An echo on one thread, 16 connections, 64 bytes each way; the best of " + ROUNDS + " rounds:");
        out.flush();
        double spread = race(TourCommand::addEchoes, out, "messages/s");
        out.println();
        out.println("Reads of 4 KiB at random places of a cached file, 32 at a time:");
        out.flush();
        Path file = Files.createTempFile("sluice-tour", ".bin");
        try {
            Files.write(file, new byte[FILE_SIZE]);
            spread = Math.max(spread, race(contestants -> addFiles(contestants, file), out, "reads/s"));
        } finally {
            Files.delete(file);
        }
        if (busy || spread > STEADY) {
            out.println();
            out.println("The machine is busy, so these figures are unreliable: "
                    + (busy ? "other programs use its processors." : "rounds of the same server differ by "
                            + Math.round((spread - 1) * 100) + " %."));
        }
        out.println();
        out.println("Next: ./sluice echo        a server on port 7007");
        out.println("      ./sluice --help      all samples");
        out.println("      ./sluice doctor      why the other demultiplexers do not work here");
        out.println("      ./sluice bench       full measurements, beside Netty and C");
        out.println("      docs/start.md        a program of your own");
        out.flush();
        return 0;
    }

    private static boolean isBusy() {
        // Negative where the system does not know.
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load > QUIET * Runtime.getRuntime().availableProcessors();
    }

    private static String names(Mode mode) {
        return usable(mode).stream().collect(Collectors.joining(", "));
    }

    private static List<String> usable(Mode mode) {
        return Mechanism.available().stream()
                .filter(mechanism -> mechanism.mode() == mode && mechanism.availability().usable())
                .map(Mechanism::name).toList();
    }

    /** Adds the contestants of a race. */
    @FunctionalInterface
    private interface Entries {

        void addTo(List<MeasuredPeer> contestants) throws IOException;
    }

    private double race(Entries entries, PrintWriter out, String unit) throws IOException, InterruptedException {
        List<MeasuredPeer> contestants = new ArrayList<>();
        try {
            entries.addTo(contestants);
            return new Race(contestants, ROUNDS, millis).run(out, unit);
        } finally {
            for (MeasuredPeer each : contestants) {
                each.close();
            }
        }
    }

    private static void addEchoes(List<MeasuredPeer> contestants) throws IOException {
        SelectorEcho selector = new SelectorEcho();
        contestants.add(new MeasuredEcho("java.nio Selector", selector, selector.address()));
        for (String name : usable(Mode.SYNCHRONOUS)) {
            LoopEcho server = LoopEcho.reactor(name);
            contestants.add(new MeasuredEcho("Reactor, " + name, server, server.address()));
        }
        for (String name : usable(Mode.ASYNCHRONOUS)) {
            LoopEcho server = LoopEcho.proactor(name);
            contestants.add(new MeasuredEcho("Proactor, " + name, server, server.address()));
        }
    }

    private static void addFiles(List<MeasuredPeer> contestants, Path file) throws IOException {
        contestants.add(new MeasuredFiles.OfChannel(file));
        contestants.add(new MeasuredFiles.OfProactor(file));
    }
}
