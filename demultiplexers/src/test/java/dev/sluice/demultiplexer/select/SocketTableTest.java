package dev.sluice.demultiplexer.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketTableTest {

    private final SocketTable table = new SocketTable();

    @Test
    void findsNothingInTheBeginning() {
        assertEquals(SocketTable.NONE, table.find(0));
        assertEquals(SocketTable.NONE, table.find(4));
    }

    @Test
    void takesAnyNumber() {
        long[] sockets = {0, 4, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        for (int place = 0; place < sockets.length; place++) {
            table.put(sockets[place], place);
        }
        for (int place = 0; place < sockets.length; place++) {
            assertEquals(place, table.find(sockets[place]));
        }
    }

    @Test
    void removingTheOldPlaceKeepsAMovedSocket() {
        table.put(4, 1);
        table.put(4, 2);
        table.remove(4, 1);
        assertEquals(2, table.find(4));
        table.remove(4, 2);
        assertEquals(SocketTable.NONE, table.find(4));
    }

    /** Against another map, with numbers as the system gives them out, and with some that collide. */
    @ParameterizedTest
    @ValueSource(longs = {4, 1, 1L << 20, 1L << 52})
    void isAMap(long step) {
        Map<Long, Integer> model = new HashMap<>();
        Random random = new Random(step);
        for (int round = 0; round < 100_000; round++) {
            long socket = random.nextInt(1_000) * step;
            if (random.nextInt(3) == 0 && model.containsKey(socket)) {
                table.remove(socket, model.remove(socket));
            } else {
                model.put(socket, round);
                table.put(socket, round);
            }
            long any = random.nextInt(1_000) * step;
            assertEquals(model.getOrDefault(any, SocketTable.NONE), table.find(any));
        }
        for (long i = 0; i < 1_000; i++) {
            assertEquals(model.getOrDefault(i * step, SocketTable.NONE), table.find(i * step));
        }
    }
}
