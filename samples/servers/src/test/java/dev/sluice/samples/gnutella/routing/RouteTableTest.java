package dev.sluice.samples.gnutella.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.gnutella.message.Guid;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where messages have come from. */
@Tag(Depth.IN_QUICK)
class RouteTableTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private long now = Long.MAX_VALUE - 1000;

    private RouteTable table(int entries) {
        return new RouteTable(entries, MINUTE, () -> now);
    }

    private static Guid guid(long number) {
        return new Guid(number, -number);
    }

    @Test
    void onlyTheFirstOneIsNew() {
        RouteTable table = table(8);
        assertTrue(table.addIfNew(guid(1), 11));
        assertFalse(table.addIfNew(guid(1), 12));
        assertEquals(11, table.neighbour(guid(1)));
        assertEquals(RouteTable.UNKNOWN, table.neighbour(guid(2)));
        assertEquals(RouteTable.UNKNOWN, table.neighbour(new Guid(1, 1)));
    }

    @Test
    void aRouteCanBeReplaced() {
        RouteTable table = table(8);
        table.put(guid(1), 11);
        table.put(guid(1), 12);
        assertEquals(12, table.neighbour(guid(1)));
        assertEquals(1, table.size());
    }

    @Test
    void theEldestIsEvicted() {
        RouteTable table = table(4);
        for (int i = 0; i < 10; i++) {
            assertTrue(table.addIfNew(guid(i), i));
            assertEquals(Math.min(4, i + 1), table.size());
        }
        assertEquals(RouteTable.UNKNOWN, table.neighbour(guid(5)));
        for (int i = 6; i < 10; i++) {
            assertEquals(i, table.neighbour(guid(i)));
        }
    }

    @Test
    void whatIsTooOldIsForgotten() {
        RouteTable table = table(8);
        table.addIfNew(guid(1), 11);
        now += MINUTE.toNanos() / 2;
        table.addIfNew(guid(2), 12);
        now += MINUTE.toNanos() / 2;
        assertFalse(table.addIfNew(guid(1), 13));
        now++;
        assertEquals(RouteTable.UNKNOWN, table.neighbour(guid(1)));
        assertEquals(12, table.neighbour(guid(2)));
        assertTrue(table.addIfNew(guid(1), 13));
        assertEquals(2, table.size());
        now += 2 * MINUTE.toNanos();
        assertEquals(0, table.size());
        assertEquals(RouteTable.UNKNOWN, table.neighbour(guid(2)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 64})
    void doesWhatAMapInOrderDoes(int entries) {
        RouteTable table = table(entries);
        Map<Guid, Long> model = new LinkedHashMap<>();
        Random random = new Random(entries);
        for (int i = 0; i < 20_000; i++) {
            Guid guid = guid(random.nextInt(2 * entries + 1));
            long neighbour = random.nextInt(100);
            Long known = model.get(guid);
            switch (random.nextInt(3)) {
                case 0 -> assertEquals(known == null, table.addIfNew(guid, neighbour));
                case 1 -> {
                    table.put(guid, neighbour);
                    known = null;
                }
                default -> {
                    assertEquals(known == null ? RouteTable.UNKNOWN : known, table.neighbour(guid));
                    continue;
                }
            }
            if (known == null) {
                if (model.size() == entries && !model.containsKey(guid)) {
                    model.remove(model.keySet().iterator().next());
                }
                model.put(guid, neighbour);
            }
            assertEquals(model.size(), table.size());
        }
    }

    @Test
    void refusesWhatCannotBe() {
        for (int entries : new int[] {-1, 0, 3, 1000, 1 << 25}) {
            assertThrows(IllegalArgumentException.class, () -> new RouteTable(entries, MINUTE));
        }
        assertThrows(IllegalArgumentException.class, () -> new RouteTable(8, Duration.ZERO));
    }
}
