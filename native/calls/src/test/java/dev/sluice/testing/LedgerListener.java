package dev.sluice.testing;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.opentest4j.TestAbortedException;

/**
 * Writes into the {@link Ledger} what each class of tests and each long test costs, and why tests were skipped. One
 * class runs at a time in a process, so the processor time of the process is that of its test.
 */
public final class LedgerListener implements TestExecutionListener {

    /** Shorter tests are counted with their class alone. */
    private static final long LONG_TEST_MICROS = 50_000;

    /** When a test or class began. */
    private record Begin(long wall, long cpu) {

        static Begin now() {
            return new Begin(System.nanoTime() / 1_000, CpuTime.ofProcess());
        }
    }

    private final Map<String, Begin> begins = new ConcurrentHashMap<>();
    private final Map<String, Integer> skips = new HashMap<>();
    private TestPlan plan;
    private long planBegin;
    private long machineBegin;
    private int tests;

    /** For the launcher of the JUnit platform. */
    public LedgerListener() {
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        planBegin = System.currentTimeMillis();
        machineBegin = CpuTime.ofMachine();
        tests = 0;
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        if (identifier.isTest() || isTopClass(identifier)) {
            begins.put(identifier.getUniqueId(), Begin.now());
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        Begin begin = begins.remove(identifier.getUniqueId());
        if (begin != null) {
            Begin end = Begin.now();
            long wall = end.wall() - begin.wall();
            long cpu = end.cpu() - begin.cpu();
            if (isTopClass(identifier)) {
                Ledger.current().add("class", name(identifier), wall, cpu);
            } else {
                tests++;
                if (wall > LONG_TEST_MICROS) {
                    Ledger.current().add("test", name(identifier), wall, cpu);
                }
            }
        }
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skip(identifier, result.getThrowable().filter(TestAbortedException.class::isInstance)
                    .map(Throwable::getMessage).orElse("aborted"));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        skip(identifier, reason);
    }

    private void skip(TestIdentifier identifier, String reason) {
        String first = reason.lines().findFirst().orElse("").replaceFirst("^Assumption failed: ", "")
                .replaceAll("[0-9]+", "N");
        int howMany = identifier.isTest() ? 1
                : (int) plan.getDescendants(identifier).stream().filter(TestIdentifier::isTest).count();
        skips.merge(first, Math.max(1, howMany), Integer::sum);
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        Ledger ledger = Ledger.current();
        skips.forEach((reason, count) -> ledger.add("skip", reason, count));
        skips.clear();
        ledger.add("plan", planBegin, System.currentTimeMillis(), tests, CpuTime.ofProcess(), machineBegin,
                CpuTime.ofMachine(), Runtime.getRuntime().availableProcessors());
        ledger.write();
    }

    private boolean isTopClass(TestIdentifier identifier) {
        return identifier.getSource().filter(ClassSource.class::isInstance).isPresent()
                && plan.getParent(identifier).map(parent -> parent.getParentIdObject().isEmpty()).orElse(false);
    }

    private String name(TestIdentifier identifier) {
        return identifier.getSource().map(source -> source instanceof ClassSource type ? type.getClassName()
                : source instanceof MethodSource method ? method.getClassName() + "." + method.getMethodName() + " "
                + identifier.getDisplayName() : identifier.getDisplayName()).orElse(identifier.getDisplayName());
    }
}
