package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads use handles while these are closed and their numbers are reused for new connections. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DescriptorReuseTest extends LeakChecked {

    private static final int THREADS = 8;
    private static final int SLOTS = 3;
    private static final int CONNECTIONS = 3000;
    private static final int ENOUGH = 100;

    @TempDir
    Path directory;

    /** A connection that transfers only its own mark. */
    private record Marked(StreamPair pair, byte mark) {

        // More than the threads can receive before the close, and less than a socket holds.
        void send() throws Exception {
            ByteBuffer marks = ByteBuffer.allocate(4000);
            for (int i = 0; i < marks.capacity(); i++) {
                marks.put(i, mark);
            }
            assertEquals(marks.capacity(), pair.client().send(marks));
        }
    }

    @Test
    void callsNeverReachAReusedDescriptor() throws Exception {
        AtomicInteger received = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        AtomicReferenceArray<Marked> slots = new AtomicReferenceArray<>(SLOTS);
        try (FaultInjection faults = FaultInjection.install();
             SocketAcceptor acceptor = Transport.UNIX.acceptor(directory)) {
            // Between the check of the handle and the call, where a race could affect another descriptor.
            faults.before("recv", Thread::yield);
            List<Background<Void>> threads = new ArrayList<>();
            Patience patience = new Patience();
            try {
                for (int i = 0; i < CONNECTIONS
                        || (received.get() < ENOUGH || refused.get() < ENOUGH) && patience.lasts(); i++) {
                    close(slots.get(i % SLOTS));
                    Marked next = new Marked(Transport.UNIX.connect(acceptor), (byte) (i + 1));
                    next.send();
                    slots.set(i % SLOTS, next);
                    if (threads.size() < THREADS && i >= SLOTS) {
                        threads.add(Background.run(() -> hammer(slots, received, refused)));
                    }
                }
            } finally {
                for (int i = 0; i < SLOTS; i++) {
                    close(slots.getAndSet(i, null));
                }
            }
            for (Background<Void> thread : threads) {
                thread.result();
            }
        }
        assertTrue(received.get() >= ENOUGH, () -> "only " + received + " bytes were received");
        assertTrue(refused.get() >= ENOUGH, () -> "only " + refused + " calls met a closed handle");
    }

    private static void close(Marked marked) {
        if (marked != null) {
            marked.pair().server().close();
            marked.pair().client().close();
        }
    }

    private static Void hammer(AtomicReferenceArray<Marked> slots, AtomicInteger received, AtomicInteger refused)
            throws Exception {
        ByteBuffer destination = ByteBuffer.allocateDirect(3);
        int slot = 0;
        for (Marked marked = slots.get(0); marked != null; marked = slots.get(slot)) {
            slot = (slot + 1) % SLOTS;
            try {
                int count = marked.pair().server().receive(destination.clear());
                for (int i = 0; i < count; i++) {
                    assertEquals(marked.mark(), destination.get(i), "a byte of another connection");
                }
                received.addAndGet(Math.max(count, 0));
            } catch (HandleClosedException e) {
                refused.incrementAndGet();
            }
        }
        return null;
    }
}
