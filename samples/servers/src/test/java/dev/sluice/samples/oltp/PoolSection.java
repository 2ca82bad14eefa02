package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** The section of INFO about a server's threads. */
public final class PoolSection {

    /** The default. */
    private static final int THREADS = 16;
    private static final List<String> ROLES = List.of("leader", "processing", "follower");

    private final String text;
    private final Map<String, String> lines = new LinkedHashMap<>();

    /** Reads the section from a reply to INFO. */
    public PoolSection(String info) {
        text = info;
        assertTrue(info.startsWith("# Pool\r\n"), info);
        for (String line : info.substring(0, end(info)).split("\r\n")) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(":", 2);
                assertEquals(null, lines.put(parts[0], parts[1]), line);
            }
        }
    }

    private static int end(String info) {
        int next = info.indexOf("\r\n\r\n");
        return next < 0 ? info.stripTrailing().length() : next;
    }

    public int number(String key) {
        assertTrue(lines.containsKey(key), () -> key + " in " + text);
        return Integer.parseInt(lines.get(key));
    }

    /** Asks until all threads have begun and the client is alone, and checks what the server tells then. */
    public static void check(ConcurrencyStrategy model, Callable<String> info) throws Exception {
        AtomicReference<PoolSection> last = new AtomicReference<>();
        Patience.until(() -> last.get().text, () -> {
            last.set(new PoolSection(info.call()));
            return last.get().isSettled(model);
        });
        last.get().assertTells(model);
    }

    private boolean isSettled(ConcurrencyStrategy model) {
        return number("connected_clients") == 1
                && (model != ConcurrencyStrategy.LEADER_FOLLOWERS || hasAllRoles());
    }

    /** A thread that is done counts as processing until it follows again, and the next leader until it leads. */
    private boolean hasAllRoles() {
        return number("pool_leader") == 1 && number("pool_follower") == THREADS - 2;
    }

    private void assertTells(ConcurrencyStrategy model) {
        assertEquals(model.toString(), lines.get("pool"));
        assertEquals(1, number("pool_busy"), text);
        int before = number("total_connections_received") - 1;
        assertTrue(before >= 0 && number("pool_turns") >= before, text);
        switch (model) {
            case LEADER_FOLLOWERS -> {
                assertEquals(THREADS, number("pool_threads"), text);
                assertEquals(1, number("pool_leader"), text);
                assertEquals(1, number("pool_processing"), text);
                assertEquals(0, number("pool_postponed"), text);
                ROLES.forEach(this::assertNamesThreads);
            }
            case HALF_SYNC_HALF_ASYNC -> {
                assertEquals(THREADS, number("pool_threads"), text);
                assertEquals(0, number("pool_queued"), text);
            }
            default -> assertEquals(1, number("pool_threads"), text);
        }
    }

    private void assertNamesThreads(String role) {
        List<String> names = List.of(lines.get("pool_" + role + "_threads").split(","));
        assertEquals(number("pool_" + role), names.size(), text);
        assertTrue(names.stream().allMatch(name -> name.matches("pool-([0-9]|1[0-5])")), text);
        assertEquals(names.size(), names.stream().distinct().count(), text);
        for (String other : ROLES) {
            assertFalse(!other.equals(role) && names.stream().anyMatch(
                    List.of(lines.get("pool_" + other + "_threads").split(","))::contains), text);
        }
    }
}
