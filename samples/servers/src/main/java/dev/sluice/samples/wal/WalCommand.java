package dev.sluice.samples.wal;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.server.VirtualThreads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice wal}. */
@Command(name = "wal", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Appends records to a write-ahead log from many threads, each of which waits until its record is "
                + "on the disk, and prints how fast. Records that threads append meanwhile are written and forced "
                + "together.")
public final class WalCommand implements Callable<Integer> {

    private static final int MAX_THREADS = 1000;
    private static final int MAX_SECONDS = 24 * 3600;
    private static final int MAX_SEGMENT = 1024;
    private static final int MIB = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", required = true,
            description = "Directory of the log; a new log is made if there is none.")
    private Path data;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "16",
            description = "Number of threads that append (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "512",
            description = "Length of each record in bytes (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "5",
            description = "How long to append (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--segment", paramLabel = "MIB", defaultValue = "16",
            description = "Length of each new file of the log (default: ${DEFAULT-VALUE}).")
    private int segment;

    @Option(names = "--virtual",
            description = "The threads are virtual ones, for which a Proactor writes. Needs Java 21.")
    private boolean virtual;

    @Option(names = "--demultiplexer", paramLabel = "NAME", defaultValue = Mechanism.AUTO,
            description = "The demultiplexer of the Proactor, which writes with --virtual (default: the best one).")
    private String demultiplexer;

    @Option(names = "--print",
            description = "Prints each record that is on the disk: its number in the log, the number of this run, its "
                    + "thread, and its number among those of the thread.")
    private boolean print;

    @Option(names = "--verify",
            description = "Reads the log instead, and checks that each record is there once, and in order.")
    private boolean verify;

    /** For picocli. */
    public WalCommand() {
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (data.toString().isBlank()) {
            throw bad("--data is given without a value");
        }
        if (verify) {
            verify(out);
            return 0;
        }
        requireRange("--threads", threads, 1, MAX_THREADS);
        requireRange("--bytes", bytes, LoadRecord.MIN_LENGTH, LogSettings.DEFAULT_GROUP - RecordFormat.HEADER);
        requireRange("--seconds", seconds, 0, MAX_SECONDS);
        requireRange("--segment", segment, 1, MAX_SEGMENT);
        if (virtual && VirtualThreads.unavailable() != null) {
            throw bad("--virtual " + VirtualThreads.unavailable());
        }
        LogSettings settings = new LogSettings(segment * MIB, LogSettings.DEFAULT_GROUP, mechanism());
        LoadCheck check = new LoadCheck();
        try (WriteAheadLog log = WriteAheadLog.open(data, settings, check)) {
            long run = new SecureRandom().nextLong();
            Duration time = Duration.ofNanos((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
            new WriteLoad(log, bytes, run, virtual, print ? out : null).run(threads, time, out);
        }
        return 0;
    }

    private String mechanism() {
        try {
            return Mechanism.choose(demultiplexer, Mode.ASYNCHRONOUS).name();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    private void verify(PrintWriter out) throws IOException {
        if (!Files.isDirectory(data)) {
            throw new NotDirectoryException(data.toString());
        }
        LoadCheck check = new LoadCheck();
        LogEnd end = LogScan.scan(new LogDirectory(data), check);
        if (end == null) {
            throw new IOException(data + " has no log");
        }
        out.println(end.records() + " records, up to " + end.position() + " in " + end.segment().getFileName());
        out.println(check.summary());
        out.flush();
    }

    private void requireRange(String option, double value, int min, int max) {
        if (!(value >= min && value <= max)) {
            String given = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
            throw bad(option + " must be " + min + " to " + max + ", not " + given);
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
