package dev.sluice.benchmarks.seda.router;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks now and then at how much of a virtual machine's heap is in use after a collection. What is resident would tell
 * of the collector's habits: it takes all that it may have before it begins.
 */
final class HeapWatch extends Watch {

    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    private static final Duration BETWEEN = Duration.ofMillis(500);
    /** The last line of a histogram: how many objects there are, and how many bytes they have. */
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    private final long process;
    private IOException failure;
    private long mostBytes;

    private HeapWatch(long process, Duration wait, Duration time) {
        super("heap watch", wait, time);
        this.process = process;
    }

    /** {@return whether this Java can look at others} */
    static boolean isPossible() {
        return Files.isExecutable(JCMD);
    }

    /**
     * Begins to look.
     *
     * @param process the number of one that runs on Java
     * @param wait    until what is seen counts
     * @param time    for how long it counts; there is one look at least
     * @return to be closed by the caller
     */
    static HeapWatch begin(long process, Duration wait, Duration time) {
        HeapWatch watch = new HeapWatch(process, wait, time);
        watch.begin();
        return watch;
    }

    @Override
    void watch() {
        try {
            awaitBeginning();
            do {
                mostBytes = Math.max(mostBytes, inUse());
                Thread.sleep(BETWEEN);
            } while (!isOver());
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            failure = new IOException("interrupted", e);
        }
    }

    /** Only what is reachable is in the histogram: it is made after a collection. */
    private long inUse() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(JCMD.toString(), Long.toString(process), "GC.class_histogram")
                .redirectErrorStream(true).start();
        jcmd.getOutputStream().close();
        String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(histogram);
        if (jcmd.waitFor() != 0 || !total.find()) {
            throw new IOException("jcmd does not tell what is in the heap: "
                    + histogram.lines().limit(2).toList());
        }
        return Long.parseLong(total.group(1));
    }

    /**
     * {@return the most bytes in use after a collection; after the close}
     *
     * @throws IOException if a look has failed
     */
    long mostBytes() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return mostBytes;
    }
}
