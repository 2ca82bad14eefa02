package dev.sluice.windows;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.engine.discovery.PackageNameFilter.excludePackageNames;
import static org.junit.platform.launcher.TagFilter.includeTags;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a JVM for Windows, and prints a line for each class as soon as it has ended: its name, and how many
 * tests passed and were skipped. Before it come the failures. The last line is {@link #END}, if a test has run.
 * Lines begin with {@link #MARK}, as tests may print, too.
 *
 * <p>Argument: an expression of JUnit tags. The tests of the library that fit it run.
 */
final class SuiteRun implements TestExecutionListener {

    /** What a line begins with that this prints. */
    static final String MARK = "\u0001";

    /** What follows the mark once all tests have run. */
    static final String END = "end";

    /** The outcomes of the tests of a class. */
    private static final class Count {

        private int passed;
        private int skipped;
    }

    private final PrintStream out = System.out;
    private final Map<String, Count> counts = new HashMap<>();
    private TestPlan plan;

    private SuiteRun() {
    }

    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("dev.sluice"))
                .filters(includeClassNamePatterns(".*Test"), includeTags(arguments[0]),
                        excludePackageNames("dev.sluice.windows")).build();
        SuiteRun run = new SuiteRun();
        LauncherFactory.create().execute(request, run);
        if (!run.counts.isEmpty()) {
            run.print(END);
        }
        // What a test has left behind does not keep the process; its own tests look for that.
        System.exit(0);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        countOf(identifier).skipped += Math.max(1, (int) plan.getDescendants(identifier).stream()
                .filter(TestIdentifier::isTest).count());
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        switch (result.getStatus()) {
            case FAILED -> {
                print("failed " + identifier.getDisplayName() + " of " + nameOfClass(identifier));
                result.getThrowable().ifPresent(failure -> {
                    print(failure.toString());
                    Stream.of(failure.getStackTrace()).limit(20).forEach(frame -> print("    at " + frame));
                });
            }
            case ABORTED -> countOf(identifier).skipped++;
            case SUCCESSFUL -> countOf(identifier).passed += identifier.isTest() ? 1 : 0;
        }
        if (isClass(identifier)) {
            Count count = countOf(identifier);
            print(String.join("\t", "class", nameOfClass(identifier), "" + count.passed, "" + count.skipped));
        }
    }

    private void print(String text) {
        text.lines().forEach(line -> out.print(MARK + line + "\n"));
        out.flush();
    }

    private Count countOf(TestIdentifier identifier) {
        return counts.computeIfAbsent(nameOfClass(identifier), name -> new Count());
    }

    /** {@return the class that a test belongs to, without those that are nested in it} */
    private String nameOfClass(TestIdentifier identifier) {
        return identifier.getUniqueIdObject().getSegments().stream()
                .filter(SuiteRun::isClass).findFirst()
                .map(segment -> segment.getValue()).orElse("no class");
    }

    private static boolean isClass(TestIdentifier identifier) {
        return isClass(identifier.getUniqueIdObject().getLastSegment());
    }

    /** {@return whether it stands for a class that is not nested, which may have parameters} */
    private static boolean isClass(UniqueId.Segment segment) {
        return segment.getType().equals("class") || segment.getType().equals("class-template");
    }
}
