package dev.sluice.eventloop;

import dev.sluice.timer.TimeoutHandler;
import org.jspecify.annotations.Nullable;

/** The handler of all timers that run a task, which is their token. */
final class ScheduledTask implements TimeoutHandler {

    static final TimeoutHandler HANDLER = new ScheduledTask();

    private ScheduledTask() {
    }

    @Override
    public void handleTimeout(@Nullable Object task) {
        assert task != null;
        ((Runnable) task).run();
    }

    @Override
    public String toString() {
        return "a scheduled task";
    }
}
