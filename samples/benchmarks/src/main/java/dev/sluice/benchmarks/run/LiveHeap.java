package dev.sluice.benchmarks.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures the live objects on the heap of another JVM. */
public final class LiveHeap {

    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    /** The last line of a histogram: how many objects there are, and how many bytes they have. */
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    private LiveHeap() {
    }

    /** {@return whether this Java can inspect other JVMs} */
    public static boolean isTold() {
        return Files.isExecutable(JCMD);
    }

    /**
     * {@return the bytes of all objects that are reachable} That has the other Java collect.
     *
     * @param process the number of one that runs on Java
     * @param host    starts the program that asks
     * @throws IOException          if it does not tell
     * @throws InterruptedException if the thread is interrupted
     */
    public static long bytes(long process, Host host) throws IOException, InterruptedException {
        Process jcmd = host.start(new ProcessBuilder(JCMD.toString(), Long.toString(process), "GC.class_histogram")
                .redirectErrorStream(true));
        try {
            jcmd.getOutputStream().close();
            String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher total = TOTAL.matcher(histogram);
            if (jcmd.waitFor() != 0 || !total.find()) {
                throw new IOException("jcmd has not reported the contents of the heap: "
                        + histogram.lines().limit(2).toList());
            }
            return Long.parseLong(total.group(1));
        } finally {
            jcmd.destroyForcibly();
        }
    }
}
