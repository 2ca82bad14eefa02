package dev.sluice.trace;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stack of the hooks that a thread is calling, and of the calls with which they run the loop. Written by that
 * thread; other threads may read the innermost frame.
 */
final class ThreadStack {

    private static final int USUAL_DEPTH = 8;

    /** A call of a hook, or one that runs the loop. Reused. */
    static final class Frame {
        /** The number of the record; negative for a call that runs the loop. */
        long ticket;
        @Nullable String hook;
        @Nullable Object handler;
        @Nullable Object handle;
        long began;
    }

    final Thread thread = Thread.currentThread();
    private Frame[] frames = new Frame[0];
    private int depth;

    // Read by the watcher

    /** Number of changes, twice; odd during a change. */
    private volatile long version;
    /** The innermost frame, null if there is none. */
    private @Nullable Frame innermost;
    /** The {@link System#nanoTime()} at which it became the innermost one. */
    private long since;
    /** The version whose stall has been reported. Accessed only by the watcher. */
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

    /** {@return the frame that was the innermost one, valid until the next push} */
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
     * Returns the innermost hook if it has exceeded the limit and has not been reported yet. Called only by the
     * watcher.
     *
     * @param limit the limit in nanoseconds
     * @param now   the current {@link System#nanoTime()}
     * @return a copy of the frame; null if there is none
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
