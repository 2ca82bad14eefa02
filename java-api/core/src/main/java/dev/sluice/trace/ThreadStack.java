package dev.sluice.trace;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The hooks that a thread is in, and the calls with which they run the loop, innermost last. Written by that thread;
 * others may look at the innermost one.
 */
final class ThreadStack {

    private static final int USUAL_DEPTH = 8;

    /** One hook, or one stay in the loop. Reused. */
    static final class Frame {
        /** Which record it is; negative for a stay in the loop. */
        long ticket;
        @Nullable String hook;
        @Nullable Object handler;
        @Nullable Object handle;
        long began;
    }

    final Thread thread = Thread.currentThread();
    private Frame[] frames = new Frame[0];
    private int depth;

    // For the watcher

    /** Counts the changes; odd while one is being made. */
    private volatile long version;
    /** The innermost frame, null if there is none. */
    private @Nullable Frame innermost;
    /** When it became the innermost one, on the scale of {@link System#nanoTime()}. */
    private long since;
    /** The version whose stall has been reported. Used by the watcher alone. */
    private long reported;

    void push(long ticket, @Nullable String hook, @Nullable Object handler, @Nullable Object handle, long now) {
        if (depth == frames.length) {
            grow();
        }
        Frame frame = frames[depth];
        begin();
        frame.ticket = ticket;
        frame.hook = hook;
        frame.handler = handler;
        frame.handle = handle;
        frame.began = now;
        depth++;
        end(now);
    }

    private void grow() {
        Frame[] more = Arrays.copyOf(frames, frames.length + USUAL_DEPTH);
        for (int i = frames.length; i < more.length; i++) {
            more[i] = new Frame();
        }
        frames = more;
    }

    /** {@return the frame that was the innermost one, to be used before the next push} */
    Frame pop(long now) {
        Frame frame = frames[depth - 1];
        begin();
        depth--;
        frame.handler = null;
        frame.handle = null;
        end(now);
        return frame;
    }

    private void begin() {
        version++;
        VarHandle.storeStoreFence();
    }

    private void end(long now) {
        innermost = depth == 0 ? null : frames[depth - 1];
        since = now;
        version++;
    }

    /**
     * Looks for a hook that has been the innermost one for too long and has not been reported yet. Called by the
     * watcher alone.
     *
     * @param limit in nanoseconds
     * @param now   on the scale of {@link System#nanoTime()}
     * @return the hook, as it was called; null if there is none
     */
    @Nullable Frame stalled(long limit, long now) {
        long seen = version;
        Frame frame = innermost;
        if (frame == null || now - since < limit || seen == reported) {
            return null;
        }
        Frame copy = new Frame();
        copy.ticket = frame.ticket;
        copy.hook = frame.hook;
        copy.handler = frame.handler;
        copy.handle = frame.handle;
        copy.began = frame.began;
        VarHandle.loadLoadFence();
        if ((seen & 1) != 0 || seen != version || copy.ticket < 0) {
            return null;
        }
        reported = seen;
        return copy;
    }
}
