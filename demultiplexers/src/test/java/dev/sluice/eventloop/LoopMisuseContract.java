package dev.sluice.eventloop;

import static dev.sluice.eventloop.Misuse.assertRefused;
import static dev.sluice.eventloop.Misuse.assertThrown;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.timer.Timer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What a loop refuses. */
public interface LoopMisuseContract {

    /** {@return the loop under test, which no thread has run} */
    EventLoop misused();

    /** {@return whether many threads may run it} */
    boolean isRunByMany();

    /** {@return what opens a single loop} */
    LoopBuilder<? extends EventLoop> loops();

    private OtherThread<Void> running() {
        EventLoop loop = misused();
        OtherThread<Void> runner = OtherThread.start(() -> {
            loop.run();
            return null;
        });
        CountDownLatch begun = new CountDownLatch(1);
        loop.execute(begun::countDown);
        OtherThread.await(begun);
        return runner;
    }

    @Test
    default void aSecondRunIsRefused() throws Exception {
        assumeFalse(isRunByMany(), "only a loop of one thread has a loop thread");
        OtherThread<Void> runner = running();
        assertRefused("run: " + runner.thread() + " runs " + misused(), "use a group for several threads",
                misused()::run);
        assertRefused("run: " + runner.thread(), "use a group", () -> misused().runOnce(Duration.ZERO));
        misused().stop();
        runner.result();
    }

    @Test
    default void aTimerIsStartedByTheLoopThread() throws Exception {
        assumeFalse(isRunByMany(), "only a loop of one thread has a loop thread");
        Timer timer = misused().newTimer(() -> { });
        OtherThread<Void> runner = running();
        assertRefused("start: only the loop thread " + runner.thread(), "use execute(...) of " + misused(),
                () -> timer.start(Duration.ofDays(1)));
        misused().stop();
        runner.result();
    }

    @Test
    default void leavingIsForThoseInside() {
        assertRefused("leave: " + Thread.currentThread() + " does not run " + misused(), "call it in a hook or a task",
                misused()::leave);
    }

    @Test
    default void aClosedLoopDoesNothing() {
        Timer timer = misused().newTimer(() -> { });
        misused().close();
        String closed = ": " + misused() + " is closed";
        String wayOut = "open another loop";
        Duration day = Duration.ofDays(1);
        assertRefused("run" + closed, wayOut, misused()::run);
        assertRefused("run" + closed, wayOut, misused()::runOnce);
        assertRefused("schedule" + closed, wayOut, () -> misused().schedule(() -> { }, day));
        assertRefused("schedule" + closed, wayOut, () -> misused().schedule(() -> { }, day, day));
        assertRefused("start" + closed, wayOut, () -> timer.start(day));
        assertRefused("onSignal" + closed, wayOut, () -> misused().onSignal(OsSignal.HUP, () -> { }));
        assertRefused("onSignal" + closed, wayOut, () -> misused().stopOnTermination(day));
        assertThrown(RejectedExecutionException.class, "execute" + closed, wayOut, () -> misused().execute(() -> { }));
    }

    @Test
    default void aSingleLoopHasNoThreadsOfItsOwn() {
        Class<IllegalArgumentException> type = IllegalArgumentException.class;
        assertThrown(type, "loops and threadFactory belong to a group", "use ReactorGroup or ProactorGroup",
                () -> loops().loops(2).open());
        assertThrown(type, "loops and threadFactory belong to a group", "use ReactorGroup or ProactorGroup",
                () -> loops().threadFactory(Thread::new).open());
        assertThrown(type, "loops: 0", "need at least 1", () -> loops().loops(0));
    }
}
