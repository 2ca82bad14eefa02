package dev.sluice.stages;

import dev.sluice.hook.HookFailure;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a stage that are rejected first, whatever its controllers move: the threshold of its queue, of which
 * they may use half; the rate of a bucket, of whose tokens half are kept from them; or the longest wait, of which they
 * may wait for half. The others have all that is left, and in overload all of it: they wait in the same queue, so one
 * target holds for both.
 */
final class LesserEvents<E> implements Admission<E> {

    private static final Logger LOG = LoggerFactory.getLogger(LesserEvents.class);

    private final Predicate<? super E> lesser;
    /** Set before the first event. */
    private @Nullable StageQueue<E> queue;

    LesserEvents(Predicate<? super E> lesser) {
        this.lesser = lesser;
    }

    void of(StageQueue<E> own) {
        queue = own;
    }

    /** {@return whether an accepted event is one of them; false if the program's test throws} */
    boolean includes(E event) {
        try {
            return lesser.test(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, lesser, event, e);
            return false;
        }
    }

    @Override
    public boolean admit(E event, int length) {
        assert queue != null;
        // A queue for one event has no half.
        return length <= Math.max(1, queue.threshold() / 2) || !lesser.test(event);
    }

    /** {@return an admission that takes tokens of a bucket} */
    Admission<E> tokens(TokenBucket<Object> bucket) {
        return new Admission<>() {
            @Override
            public boolean admit(E event, int length) {
                return bucket.take(lesser.test(event) ? bucket.burst() / 2 : 0);
            }

            @Override
            public void undo(E event) {
                bucket.undo(event);
            }
        };
    }
}
