package dev.sluice.reactor;

import dev.sluice.demultiplexer.spi.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One step of a script. Each makes sense at any time, or else does nothing, so that a script with any step left out is
 * one too.
 *
 * @param action what is done
 * @param place  where
 * @param line   with which connection
 * @param number how many bytes, or of several things which
 * @param events for which events
 */
record Step(Action action, Place place, int line, int number, int events) {

    /** What can be done. */
    enum Action {
        OPEN, REGISTER, REMOVE, CHANGE, DEACTIVATE, REACTIVATE, SEND, CLOSE,
        FAR_SEND, FAR_RECEIVE, FAR_SHUTDOWN, FAR_CLOSE, FAR_RESET,
        RUN, WAIT, SCHEDULE, CANCEL_TIMER, EXECUTE, THROW_EXCEPTION, THROW_ERROR, END
    }

    /** Where a step is done: by the loop thread between two runs, inside of the next hook, by another thread. */
    enum Place { OUTSIDE, HOOK, OTHER_THREAD }

    static final int LINES = 3;
    private static final int[] SIZES = {1, 2, 100, 5_000, 70_000, 300_000};
    private static final int[] EVENTS = {0, EventType.READ, EventType.READ, EventType.WRITE,
        EventType.READ | EventType.WRITE, EventType.EXCEPTION, EventType.IO};
    private static final int LONGEST = 60;
    /** What ends connections is rare, or nothing would come after it. */
    private static final List<Action> OFTEN = List.of(Action.REGISTER, Action.REGISTER, Action.REMOVE, Action.CHANGE,
            Action.DEACTIVATE, Action.REACTIVATE, Action.SEND, Action.FAR_SEND, Action.FAR_SEND, Action.FAR_RECEIVE,
            Action.RUN, Action.RUN, Action.WAIT);

    /** {@return whether it registers the connection, unless that is registered} */
    boolean registers() {
        return action == Action.REGISTER || action == Action.SEND;
    }

    static List<Step> script(Random random) {
        List<Step> steps = new ArrayList<>();
        for (int line = 0; line <= random.nextInt(LINES); line++) {
            steps.add(new Step(Action.OPEN, Place.OUTSIDE, line, random.nextInt(2), 0));
        }
        for (int i = random.nextInt(LONGEST); i >= 0; i--) {
            Action action = random.nextInt(4) > 0 ? OFTEN.get(random.nextInt(OFTEN.size()))
                    : Action.values()[random.nextInt(Action.values().length)];
            int where = random.nextInt(8);
            Place place = where == 0 ? Place.OTHER_THREAD : where <= 2 ? Place.HOOK : Place.OUTSIDE;
            steps.add(new Step(action, place, random.nextInt(LINES), SIZES[random.nextInt(SIZES.length)],
                    EVENTS[random.nextInt(EVENTS.length)]));
        }
        return steps;
    }
}
