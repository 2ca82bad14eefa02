package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ModuleList;
import dev.sluice.samples.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One run of test classes on a foreign JVM.
 *
 * @param jvm     the JVM
 * @param binding the binding it uses
 */
record OtherPlatformRun(OtherPlatformJvm jvm, String binding) {

    private static final Duration LONGEST = Duration.ofMinutes(30);

    /** Runs the classes, prints how many cases passed and why others were skipped, and fails if one failed. */
    void test(String title, String module, List<String> classes) throws IOException, InterruptedException {
        Path log = Repository.root().resolve("samples/servers/target/foreign")
                .resolve(jvm + "-" + binding + "-" + title + ".txt");
        Process process = jvm.program(binding, classPath(), SelectedTests.class.getName(), classes)
                .directory(Repository.root().resolve(module).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Duration longest = jvm.timeout(LONGEST);
        boolean ended;
        try {
            process.getOutputStream().close();
            ended = process.waitFor(longest.toSeconds(), TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readString(log, StandardCharsets.UTF_8).lines().toList();
        List<String> failed = saying(SelectedTests.FAILED, lines);
        List<String> passed = saying(SelectedTests.PASSED, lines);
        System.out.println(jvm + " " + binding + " " + title + ": " + passed.size() + " cases passed, "
                + failed.size() + " failed" + reasons(saying(SelectedTests.SKIPPED, lines)));
        assertTrue(ended, () -> "still running after " + longest.toMinutes() + " minutes: " + log);
        assertTrue(failed.isEmpty(), () -> String.join("\n", failed).replace("\\n", "\n"));
        assertTrue(process.exitValue() == 0 && !passed.isEmpty(),
                () -> "exit " + process.exitValue() + ", none passed: " + log);
    }

    private static List<String> saying(String how, List<String> lines) {
        return lines.stream().filter(line -> line.startsWith(how)).toList();
    }

    private static String reasons(List<String> skipped) {
        Map<String, Long> reasons = skipped.stream()
                .map(line -> line.replaceFirst("^\\S+ \\S+ ?", "").replace("Assumption failed: ", ""))
                .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
        return reasons.entrySet().stream()
                .map(reason -> "\n    skipped " + reason.getValue() + ": " + reason.getKey())
                .collect(Collectors.joining());
    }

    static List<String> modules() throws IOException {
        return ModuleList.upTo(ModuleList.SAMPLES, Repository.root());
    }

    /** {@return the tests' class path, with the tests of the modules below, which are not in a jar yet} */
    static String classPath() throws IOException {
        List<String> elements = new ArrayList<>();
        String own = System.getProperty("java.class.path");
        boolean maven = own.contains("test-classes");
        for (String module : modules()) {
            Path target = Repository.root().resolve(module).resolve("target");
            elements.add(target.resolve(maven ? "classes" : "t-main").toString());
            elements.add(target.resolve(maven ? "test-classes" : "t-test").toString());
        }
        for (String element : own.split(File.pathSeparator)) {
            if (element.endsWith(".jar") && !Path.of(element).getFileName().toString().startsWith("sluice-")) {
                elements.add(element);
            }
        }
        return String.join(File.pathSeparator, elements);
    }

    @Override
    public String toString() {
        return jvm + " " + binding;
    }
}
