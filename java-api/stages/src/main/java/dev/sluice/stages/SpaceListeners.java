package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait to be told of room in a queue, in the order in which they have asked. May be used by any thread; one
 * at a time tells, for all who want that, so that nobody waits for a lock.
 */
final class RoomNotices {

    private static final Logger LOG = LoggerFactory.getLogger(RoomNotices.class);

    private final IntSupplier room;
    private final AtomicInteger count = new AtomicInteger();
    /** Those who have come since somebody told, the newest first. */
    private final AtomicReference<RoomNotice> newest = new AtomicReference<>();
    /** How many turns of telling are due. Who makes it one takes all of them. */
    private final AtomicInteger turns = new AtomicInteger();

    // Of whose turn it is

    private RoomNotice oldest;
    private RoomNotice latest;

    /**
     * Nobody waits.
     *
     * @param room how many may be told now
     */
    RoomNotices(IntSupplier room) {
        this.room = room;
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    /** {@return whether it was not there yet} Then somebody has to {@link #tell()}. */
    boolean add(RoomNotice notice) {
        StackReserve.requireForCall();
        if (!notice.begin(this)) {
            return false;
        }
        count.incrementAndGet();
        RoomNotice before;
        do {
            before = newest.get();
            notice.next = before;
        } while (!newest.compareAndSet(before, notice));
        return true;
    }

    /** Tells as many as there is room for. */
    void tell() {
        if (isEmpty()) {
            return;
        }
        // Or nobody might ever be told again.
        StackReserve.requireForCall();
        if (turns.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = turns.get();
            lineUp();
            for (int most = room.getAsInt(); most > 0 && oldest != null; most--) {
                tellOldest();
            }
        } while (!turns.compareAndSet(seen, 0));
    }

    /** Puts the new ones behind the others, the oldest of them first. */
    private void lineUp() {
        RoomNotice last = newest.getAndSet(null);
        RoomNotice first = null;
        RoomNotice notice = last;
        while (notice != null) {
            RoomNotice before = notice.next;
            notice.next = first;
            first = notice;
            notice = before;
        }
        if (oldest == null) {
            oldest = first;
        } else {
            latest.next = first;
        }
        if (last != null) {
            latest = last;
        }
    }

    private void tellOldest() {
        RoomNotice notice = oldest;
        oldest = notice.next;
        count.decrementAndGet();
        notice.end();
        try {
            notice.roomAgain();
        } catch (Throwable e) {
            HookFailure.log(LOG, notice, "room in a queue", e);
        }
    }
}
