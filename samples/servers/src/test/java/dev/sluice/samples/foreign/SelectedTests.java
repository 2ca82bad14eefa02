package dev.sluice.samples.foreign;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A program that runs the test classes that its arguments name, and says how each case went, a line per case. */
final class SelectedTests implements TestExecutionListener {

    static final String PASSED = "passed: ";
    static final String SKIPPED = "skipped: ";
    static final String FAILED = "failed: ";

    private SelectedTests() {
    }

    public static void main(String[] classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).toList())
                .filters(TagFilter.excludeTags("stress", "windows", "packaged", "campaign"))
                .build();
        LauncherFactory.create().execute(request, new SelectedTests());
        // Threads that a failed test has left behind are no reason to stay.
        System.exit(0);
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        say(SKIPPED, identifier, reason);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (identifier.isTest()) {
                    say(PASSED, identifier, "");
                }
            }
            case ABORTED -> say(SKIPPED, identifier, result.getThrowable().map(Throwable::getMessage).orElse(""));
            case FAILED -> say(FAILED, identifier, result.getThrowable().map(SelectedTests::trace).orElse(""));
            default -> throw new IllegalStateException(result.toString());
        }
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    // One write, so that what a test prints cannot come into the middle of it.
    private static void say(String how, TestIdentifier identifier, String why) {
        String reason = String.valueOf(why).strip().replace("\r", "").replace("\n", "\\n");
        System.out.println("\n" + how + identifier.getUniqueId().replaceAll(".*class:", "") + " " + reason);
        System.out.flush();
    }
}
