package dev.sluice.stages.io;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The packets that a connection has accepted: added by any thread, and polled by the stage's thread in the order in
 * which they were added. It is bounded by their number and by their bytes; a polled packet counts until it is released.
 *
 * <p>Released objects are reused. So in steady state an add allocates nothing, as long as no more than about {@value
 * #MAX_SPARE} packets are in the queue, and no other thread adds or releases at the same moment: if one does, spare
 * objects may be left to the garbage collector. Beyond that number an object is allocated for each packet.
 */
final class OutgoingQueue {

    /** Approximate maximum number of spare objects. More are needed only if the peer falls behind. */
    private static final int MAX_SPARE = 16;

    /** Number of bits for the bytes, which are at most those of one packet or the bound. */
    private static final int PACKETS_SHIFT = 32;
    private static final long BYTES_MASK = (1L << PACKETS_SHIFT) - 1;
    /** The sign bit. In the same word as the numbers, so that no packet is accepted after the close. */
    private static final long CLOSING = Long.MIN_VALUE;

    private final int maxPackets;
    private final int maxBytes;
    /** The number of packets that wait, are being sent, or have not been reported, and of their bytes, in one word. */
    private final AtomicLong used = new AtomicLong();
    /** A stack of the packets that have not been polled yet. */
    private final AtomicReference<OutgoingPacket> newest = new AtomicReference<>();
    /** A stack of the objects that can be reused. */
    private final AtomicReference<OutgoingPacket> spares = new AtomicReference<>();

    // Accessed only by the stage's thread: a list, of which the first are done, the next in flight, and the last wait

    private @Nullable OutgoingPacket first;
    private @Nullable OutgoingPacket last;
    private @Nullable OutgoingPacket firstInFlight;
    private @Nullable OutgoingPacket firstWaiting;
    private int done;

    OutgoingQueue(int maxPackets, int maxBytes) {
        this.maxPackets = maxPackets;
        this.maxBytes = maxBytes;
    }

    /** Called by any thread. */
    EnqueueResult add(ByteBuffer bytes, @Nullable Object token, @Nullable EventQueue<? super SocketEvent> target) {
        // Before anything is counted: without memory for it, the call throws and has added nothing.
        OutgoingPacket packet = spareOrNew();
        packet.bytes = bytes;
        packet.size = bytes.remaining();
        packet.token = token;
        packet.target = target;
        EnqueueResult result = count(packet.size);
        if (result == EnqueueResult.ACCEPTED) {
            push(packet);
        } else {
            recycle(packet);
        }
        return result;
    }

    private EnqueueResult count(int size) {
        long before;
        do {
            before = used.get();
            if (before < 0) {
                return EnqueueResult.CLOSED;
            }
            long count = before >>> PACKETS_SHIFT;
            // A single packet may be larger, or it could never be sent.
            if (count > 0 && (count >= maxPackets || (before & BYTES_MASK) + size > maxBytes)) {
                return EnqueueResult.FULL;
            }
        } while (!used.compareAndSet(before, before + weight(size)));
        return EnqueueResult.ACCEPTED;
    }

    private static long weight(int size) {
        return (1L << PACKETS_SHIFT) + size;
    }

    private void push(OutgoingPacket packet) {
        OutgoingPacket before;
        do {
            before = newest.get();
            packet.next = before;
        } while (!newest.compareAndSet(before, packet));
    }

    /** {@return the number of packets that have been accepted and not released} Called by any thread. */
    int packets() {
        return (int) ((used.get() & ~CLOSING) >>> PACKETS_SHIFT);
    }

    /** Rejects all packets from now on. Called by any thread. */
    void close() {
        used.getAndUpdate(before -> before | CLOSING);
    }

    boolean isClosed() {
        return used.get() < 0;
    }

    // Called by the stage's thread

    /** {@return the next packet, which is in flight from now on; null if there is none} */
    @Nullable OutgoingPacket poll() {
        if (firstWaiting == null) {
            append(newest.getAndSet(null));
        }
        OutgoingPacket packet = firstWaiting;
        if (packet != null) {
            firstWaiting = packet.next;
        }
        return packet;
    }

    /** Appends packets that are linked from the newest to the oldest, the oldest first. */
    private void append(@Nullable OutgoingPacket added) {
        if (added == null) {
            return;
        }
        OutgoingPacket oldest = null;
        for (OutgoingPacket packet = added; packet != null;) {
            OutgoingPacket older = packet.next;
            packet.next = oldest;
            oldest = packet;
            packet = older;
        }
        if (first == null) {
            first = oldest;
        } else {
            assert last != null;
            last.next = oldest;
        }
        last = added;
        firstWaiting = oldest;
        if (firstInFlight == null) {
            firstInFlight = oldest;
        }
    }

    boolean isInFlight() {
        return firstInFlight != firstWaiting;
    }

    /** Completes the packets in flight. */
    void complete(@Nullable IOException cause) {
        while (isInFlight()) {
            assert firstInFlight != null;
            firstInFlight.cause = cause;
            firstInFlight = firstInFlight.next;
            done++;
        }
    }

    /** {@return the first completed packet; null if there is none} */
    @Nullable OutgoingPacket firstDone() {
        return done == 0 ? null : first;
    }

    /** {@return whether all accepted packets are completed or released} */
    boolean isDone() {
        return packets() == done;
    }

    /**
     * Releases the place of the first completed packet.
     *
     * @return whether the queue is at most half full
     */
    boolean release() {
        OutgoingPacket packet = first;
        assert packet != null;
        first = packet.next;
        done--;
        long left = used.addAndGet(-weight(packet.size)) & ~CLOSING;
        recycle(packet);
        return (left >>> PACKETS_SHIFT) <= maxPackets / 2 && (left & BYTES_MASK) <= maxBytes / 2;
    }

    // Packets to use again

    private OutgoingPacket spareOrNew() {
        // All of them, because a single one might have another one below it by the time it is taken.
        OutgoingPacket spare = spares.getAndSet(null);
        if (spare == null) {
            return new OutgoingPacket();
        }
        if (spare.next != null) {
            // If other spares have been added in the meantime, these are left to the garbage collector.
            spares.compareAndSet(null, spare.next);
            spare.next = null;
        }
        return spare;
    }

    private void recycle(OutgoingPacket packet) {
        packet.clear();
        OutgoingPacket before;
        do {
            before = spares.get();
            int below = before == null ? 0 : before.depth;
            if (below >= MAX_SPARE) {
                return;
            }
            packet.next = before;
            packet.depth = below + 1;
        } while (!spares.compareAndSet(before, packet));
    }
}
