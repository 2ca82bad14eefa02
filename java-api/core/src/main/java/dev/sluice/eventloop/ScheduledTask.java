package dev.sluice.eventloop;

import dev.sluice.timer.TimeoutHandler;

/** The handler of all timers that run a task, which is their token. */
final class ScheduledTask implements TimeoutHandler {

    static final TimeoutHandler HANDLER = new ScheduledTask();

    private ScheduledTask() {
    }

    @Override
    public void handleTimeout(Object task) {
        ((Runnable) task).run();
    }

    @Override
    public String toString() {
        return "a scheduled task";
    }
}
