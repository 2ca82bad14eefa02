package dev.sluice.samples.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the system knows of the threads of a pool. */
@EnabledOnOs(OS.LINUX)
class LeaderFollowersThreadsTest {

    /** In /proc/PID/task/TID/stat (proc_pid_stat(5)), after the name, which may have blanks in it. */
    private static final int NICE = 19 - 2 - 1;
    private static final int THREADS = 5;

    private static int niceValue(Path thread) throws IOException {
        String stat = Files.readString(thread.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE]);
    }

    /** {@return the nice values of the threads of pools, by their names} */
    private static Map<String, Integer> niceValues() throws IOException {
        Map<String, Integer> values = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path each : (Iterable<Path>) threads::iterator) {
                String name = Files.exists(each) ? Files.readString(each.resolve("comm")).strip() : "";
                if (name.startsWith("pool-")) {
                    values.put(name, niceValue(each));
                }
            }
        }
        return values;
    }

    private static Map<String, Integer> niceValues(PromotionOrder order) throws Exception {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        PoolDesign design = new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, HandleSetKind.ITERATIVE, order,
                Promotion.BEFORE_DISPATCH);
        try (LeaderFollowersThreads threads = new LeaderFollowersThreads(design, "poll", THREADS, Duration.ZERO,
                failures::add)) {
            Patience.until(() -> threads.states(0) + " and " + failures, () -> {
                Map<String, Object> states = threads.states(0);
                return (Integer) states.get("pool_leader") + (Integer) states.get("pool_follower") == THREADS;
            });
            return niceValues();
        } finally {
            assertEquals(List.of(), failures);
        }
    }

    @Test
    void haveThePrioritiesOfTheirOrderInTheSystem() throws Exception {
        int others = niceValue(Path.of("/proc/self"));
        Map<String, Integer> values = niceValues(PromotionOrder.PRIORITY);
        assertEquals(THREADS, values.size(), values::toString);
        for (int i = 0; i < THREADS; i++) {
            int value = values.get("pool-" + i);
            // To go up takes a privilege.
            assertTrue(value == i || i < others && value == others, () -> "among " + others + ": " + values);
        }
    }

    @Test
    void haveThatOfTheProcessInAnyOtherOrder() throws Exception {
        int others = niceValue(Path.of("/proc/self"));
        Map<String, Integer> values = niceValues(PromotionOrder.LIFO);
        assertEquals(THREADS, values.size(), values::toString);
        assertTrue(values.values().stream().allMatch(each -> each == others), () -> others + ": " + values);
    }
}
