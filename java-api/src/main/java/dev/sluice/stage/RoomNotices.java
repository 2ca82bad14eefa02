package dev.sluice.stage;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who wait to be told that a queue is half empty. */
final class RoomNotices {

    private static final Logger LOG = LoggerFactory.getLogger(RoomNotices.class);

    private final AtomicReference<RoomNotice> last = new AtomicReference<>();

    boolean isEmpty() {
        return last.get() == null;
    }

    /** {@return whether it was not there yet} */
    boolean add(RoomNotice notice) {
        if (!notice.begin()) {
            return false;
        }
        RoomNotice before;
        do {
            before = last.get();
            notice.setNext(before);
        } while (!last.compareAndSet(before, notice));
        return true;
    }

    /** Tells all that are there, and forgets them. */
    void tell() {
        RoomNotice notice = last.getAndSet(null);
        while (notice != null) {
            RoomNotice following = notice.next();
            notice.end();
            try {
                notice.roomAgain();
            } catch (Throwable e) {
                HookFailure.log(LOG, notice, "room in a queue", e);
            }
            notice = following;
        }
    }
}
