package dev.sluice.eventloop;

import dev.sluice.timer.Timer;

/** The timers of an event loop, and who waits for them. */
abstract class TimerDispatch {

    private final EventLoop loop;

    TimerDispatch(EventLoop loop) {
        this.loop = loop;
    }

    final EventLoop loop() {
        return loop;
    }

    /** Adds one that has not been cancelled meanwhile. From any thread. */
    abstract void add(Timer timer);

    /** Takes a cancelled one out. From any thread. */
    abstract void remove(Timer timer);

    /** {@return how long a thread that is about to wait may do so: at most the time that it was given} */
    abstract long bound(long most);

    /** The calling thread waits no more. */
    abstract void endWait();

    /** {@return whether there is a timer that no waiting thread keeps in mind} */
    abstract boolean isUnattended();

    /** {@return how many hooks of timers that are due were called} */
    abstract int expire();

    /** {@return whether the handler was called, and has not failed} */
    final boolean fire(Timer timer) {
        try {
            return timer.fire();
        } catch (Throwable e) {
            loop.failed(timer.handler(), e);
            return false;
        }
    }
}
