package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One thread takes events from a handle while another one adds some: as if one had come after the other. */
class RemovalTest extends PoolContract {

    private static final int ROUNDS = 200;
    private static final int MANY_ROUNDS = 50_000;

    private SharedDemultiplexingTable table;
    private Handle handle;

    @BeforeEach
    void openTable() throws IOException {
        SynchronousEventDemultiplexer demultiplexer = own(Demultiplexers.openSynchronous(handleSet.demultiplexer()));
        table = new SharedDemultiplexingTable(demultiplexer);
        own(table::close);
        handle = pipe().source().handle();
    }

    private SharedHandlerEntry register(Recorder handler, int events) throws IOException {
        table.register(handle, handler, events, Promotion.BEFORE_DISPATCH);
        return table.find(handle);
    }

    @Test
    void eventsThatAreAddedBeforeTheEndGoWithIt() throws Exception {
        Recorder handler = new Recorder("handler", handle);
        SharedHandlerEntry entry = register(handler, EventType.READ);
        OtherThread<Void> remover;
        // Nobody decides about an entry without its lock.
        synchronized (entry) {
            remover = OtherThread.start(() -> {
                entry.end(null);
                return null;
            });
            Thread removing = remover.thread();
            OtherThread.await(() -> removing.getState() == Thread.State.BLOCKED);
            assertTrue(entry.addEvents(EventType.EXCEPTION));
        }
        remover.result();
        assertEquals(List.of("close READ|EXCEPTION"), handler.calls());
        assertNull(table.find(handle));
    }

    @Test
    void nothingIsLostAndNothingStays() throws Exception {
        race(ROUNDS);
    }

    @Tag("stress")
    @Test
    void nothingIsLostAndNothingStaysInManyRounds() throws Exception {
        race(MANY_ROUNDS);
    }

    private void race(int rounds) throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        OtherThread<Void> remover = OtherThread.start(() -> {
            for (int round = 0; round < rounds; round++) {
                together.await(30, TimeUnit.SECONDS);
                spin(round % 7);
                table.find(handle).end(null);
                together.await(30, TimeUnit.SECONDS);
            }
            return null;
        });
        for (int round = 0; round < rounds; round++) {
            Recorder handler = new Recorder("handler", handle);
            register(handler, EventType.READ);
            together.await(30, TimeUnit.SECONDS);
            spin(round % 5);
            register(handler, EventType.EXCEPTION);
            together.await(30, TimeUnit.SECONDS);
            SharedHandlerEntry entry = table.find(handle);
            if (entry == null) {
                assertEquals(List.of("close READ|EXCEPTION"), handler.calls());
            } else {
                entry.end(null);
                assertEquals(List.of("close READ", "close EXCEPTION"), handler.calls());
            }
            assertNull(table.find(handle));
        }
        remover.result();
    }

    private static void spin(int steps) {
        for (int i = 0; i < steps * 20; i++) {
            Thread.onSpinWait();
        }
    }
}
