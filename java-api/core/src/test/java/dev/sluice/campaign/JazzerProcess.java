package dev.sluice.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Jazzer in a separate process, because it can run only once per JVM and its agent would affect all other tests. It
 * starts with the corpus; inputs that it generates are discarded, because the same seed generates them again.
 */
final class JazzerProcess {

    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final int LONGEST_INPUT = 512;
    private static final int SECONDS_WITHOUT_END = 60;
    private static final int LINES_SHOWN = 60;

    private JazzerProcess() {
    }

    static void run(Class<? extends FuzzTarget> type, Path corpus, int inputs, Campaign campaign)
            throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("jazzer");
        // Jazzer writes interesting inputs to the first directory.
        Path found = Files.createDirectory(scratch.resolve("found"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(java, "-Xmx512m", "-XX:+UseSerialGC",
                "-cp", System.getProperty("java.class.path"), JAZZER,
                "--target_class=" + JazzerEntry.class.getName(), "--target_args=" + type.getName(),
                "--instrumentation_includes=" + type.getPackageName() + ".**",
                "--reproducer_path=" + scratch, "-artifact_prefix=" + scratch + "/",
                // Its hooks look for injections into interpreters, which this library does not have, and take most of
                // the time.
                "--custom_hook_excludes=**", "-runs=" + inputs, "-seed=" + seed(campaign), "-max_len=" + LONGEST_INPUT,
                "-timeout=" + SECONDS_WITHOUT_END, "-rss_limit_mb=0", found.toString(), corpus.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String end = lastLines(process);
            int exit = process.waitFor();
            // Jazzer also succeeds if it has tried no input.
            if (exit != 0 || !end.contains("Done " + inputs + " runs")) {
                throw new AssertionError(campaign + ": Jazzer ended with " + exit + ", its files are in " + scratch
                        + "\n" + String.join(" ", command) + "\n" + end);
            }
            System.out.println(end);
        } finally {
            process.destroyForcibly().waitFor();
        }
        delete(scratch);
    }

    private static String lastLines(Process process) throws IOException {
        Deque<String> lines = new ArrayDeque<>();
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                if (lines.size() > LINES_SHOWN) {
                    lines.remove();
                }
            }
        }
        return String.join("\n", lines);
    }

    /** To Jazzer, 0 means no seed. */
    private static int seed(Campaign campaign) {
        return Math.max(1, Long.hashCode(campaign.seed()) & Integer.MAX_VALUE);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
