package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.sluice.calls.Emulator;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag(Depth.IN_QUICK)
class OutgoingQueueTest {

    private static final int PACKETS = 4;
    private static final int BYTES = 100;
    private static final int THREADS = 3;
    private static final int ROUNDS = Depth.times(4, 40, 1000);
    private static final long PAUSE_NANOS = 20_000;
    private static final Duration LIMIT = Emulator.patience(Duration.ofSeconds(60));

    private final OutgoingQueue queue = new OutgoingQueue(PACKETS, BYTES);

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private EnqueueResult add(int count) {
        return queue.add(bytes(count), null, null);
    }

    /** Releases the only one that has been polled. */
    private static boolean release(OutgoingQueue queue) {
        queue.complete(null);
        return queue.release();
    }

    private static boolean pollAndRelease(OutgoingQueue queue) {
        queue.poll();
        return release(queue);
    }

    @Test
    void givesInTheOrderOfAdding() {
        List<ByteBuffer> added = List.of(bytes(1), bytes(2), bytes(3), bytes(4));
        for (ByteBuffer packet : added.subList(0, 3)) {
            assertEquals(EnqueueResult.ACCEPTED, queue.add(packet, null, null));
        }
        OutgoingPacket first = queue.poll();
        // Behind those that were taken out of the common stack with the first.
        assertEquals(EnqueueResult.ACCEPTED, queue.add(added.get(3), null, null));
        assertSame(added.get(0), first.bytes);
        for (ByteBuffer packet : added.subList(1, 4)) {
            assertSame(packet, queue.poll().bytes);
        }
        assertNull(queue.poll());
    }

    @Test
    void isBoundedByPackets() {
        for (int i = 0; i < PACKETS; i++) {
            assertEquals(EnqueueResult.ACCEPTED, add(0));
        }
        assertEquals(EnqueueResult.FULL, add(0));
        queue.poll();
        assertEquals(EnqueueResult.FULL, add(0));
        release(queue);
        assertEquals(PACKETS - 1, queue.packets());
        assertEquals(EnqueueResult.ACCEPTED, add(0));
    }

    @Test
    void isBoundedByBytesButForASinglePacket() {
        assertEquals(EnqueueResult.ACCEPTED, add(BYTES));
        assertEquals(EnqueueResult.FULL, add(1));
        pollAndRelease(queue);
        assertEquals(EnqueueResult.ACCEPTED, add(BYTES + 1));
        assertEquals(EnqueueResult.FULL, add(0));
    }

    @Test
    void countsTheLargestPacketsRight() {
        OutgoingQueue large = new OutgoingQueue(Integer.MAX_VALUE, Integer.MAX_VALUE);
        ByteBuffer packet = bytes(1 << 20);
        int accepted = 0;
        while (large.add(packet.duplicate(), null, null) == EnqueueResult.ACCEPTED) {
            accepted++;
        }
        // 2 GiB less one byte.
        assertEquals((1 << 11) - 1, accepted);
        assertEquals(accepted, large.packets());
        for (int i = 0; i < accepted; i++) {
            pollAndRelease(large);
        }
        assertEquals(0, large.packets());
    }

    @Test
    void reportsWhenItIsHalfEmpty() {
        for (int i = 0; i < PACKETS; i++) {
            add(1);
        }
        assertFalse(pollAndRelease(queue));
        assertTrue(pollAndRelease(queue));
        add(BYTES - 2);
        pollAndRelease(queue);
        assertFalse(pollAndRelease(queue));
        assertTrue(pollAndRelease(queue));
    }

    @Test
    void acceptsNothingWhenClosedAndKeepsWhatItHas() {
        ByteBuffer packet = bytes(1);
        queue.add(packet, null, null);
        assertFalse(queue.isClosed());
        queue.close();
        assertTrue(queue.isClosed());
        assertEquals(EnqueueResult.CLOSED, add(1));
        assertEquals(1, queue.packets());
        OutgoingPacket kept = queue.poll();
        assertSame(packet, kept.bytes);
        release(queue);
        assertEquals(0, queue.packets());
        assertNull(queue.poll());
        assertEquals(EnqueueResult.CLOSED, add(1));
    }

    @Test
    void usesPacketsAgainAndKeepsNothingOfThem() {
        Object token = new Object();
        queue.add(bytes(1), token, null);
        OutgoingPacket packet = queue.poll();
        assertSame(token, packet.token);
        release(queue);
        assertNull(packet.bytes);
        assertNull(packet.token);
        add(2);
        assertSame(packet, queue.poll());
        assertEquals(2, packet.size);
        add(3);
        assertNotSame(packet, queue.poll());
    }

    /**
     * Every one that was accepted comes once and in its thread's order, and none after all of them were counted. If
     * some are linked in a circle, a single poll never ends.
     */
    @Test
    @Tag(Depth.REPEATED)
    @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void losesNothingOfManyThreadsAndAnEnd() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            OutgoingQueue shared = new OutgoingQueue(PACKETS * 50, Integer.MAX_VALUE);
            AtomicInteger accepted = new AtomicInteger();
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> adders = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int self = i;
                Thread adder = new Thread(() -> addUntilClosed(shared, self, accepted, begin), "adder " + i);
                adder.setDaemon(true);
                adder.start();
                adders.add(adder);
            }
            int taken;
            try {
                begin.countDown();
                taken = takeAll(shared);
            } finally {
                // If a packet is missing, the adders must still end.
                shared.close();
            }
            for (Thread adder : adders) {
                adder.join(LIMIT.toMillis());
                assertFalse(adder.isAlive(), adder::toString);
            }
            assertEquals(accepted.get(), taken);
            assertNull(shared.poll());
        }
    }

    /** Closes it after a thousand, and takes what there is then. */
    private static int takeAll(OutgoingQueue shared) {
        int[] next = new int[THREADS];
        int taken = 0;
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!shared.isClosed() || shared.packets() > 0) {
            OutgoingPacket packet = shared.poll();
            if (packet != null) {
                int sender = packet.bytes.getInt();
                assertEquals(next[sender]++, packet.bytes.getInt());
                release(shared);
                taken++;
                if (taken == 1000) {
                    shared.close();
                }
                end = System.nanoTime() + LIMIT.toNanos();
            } else if (System.nanoTime() - end < 0) {
                // Another thread may be adding a packet on the only processor.
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                fail(taken + " packets were taken, and " + shared.packets() + " are counted that do not come");
            }
        }
        return taken;
    }

    private static void addUntilClosed(OutgoingQueue shared, int self, AtomicInteger accepted, CountDownLatch begin) {
        try {
            begin.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        int number = 0;
        EnqueueResult result;
        do {
            result = shared.add(bytes(8).putInt(self).putInt(number).flip(), null, null);
            if (result == EnqueueResult.ACCEPTED) {
                number++;
                accepted.incrementAndGet();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } while (result != EnqueueResult.CLOSED);
    }

    @Test
    void holds500PacketsOr256KibiBytesByDefault() {
        SocketOptions options = new SocketOptions();
        OutgoingQueue usual = new OutgoingQueue(options.outgoingPackets, options.outgoingBytes);
        for (int i = 0; i < 500; i++) {
            assertEquals(EnqueueResult.ACCEPTED, usual.add(bytes(1), null, null));
        }
        assertEquals(EnqueueResult.FULL, usual.add(bytes(0), null, null));
        for (int i = 0; i < 500; i++) {
            pollAndRelease(usual);
        }
        assertEquals(EnqueueResult.ACCEPTED, usual.add(bytes(1), null, null));
        assertEquals(EnqueueResult.ACCEPTED, usual.add(bytes(256 * 1024 - 1), null, null));
        assertEquals(EnqueueResult.FULL, usual.add(bytes(1), null, null));
        // It has no bytes.
        assertEquals(EnqueueResult.ACCEPTED, usual.add(bytes(0), null, null));
    }
}
