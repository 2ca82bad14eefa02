package dev.sluice.benchmarks.timers;

import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Timers in a queue of Sluice, used as the thread of an event loop uses it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueuedTimers {

    /** How many timers expire in one turn of the event loop. */
    static final int EXPIRING = 100;

    /** How long that turn is. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

    /** Which queue. */
    @Param("HEAP")
    public QueueKind queue;

    /** Number of timers in it. */
    @Param("10")
    public int pending;

    private final Times far = Times.far();
    // A wheel has all of them out by the end of the turn.
    private final Times soon = Times.upTo(TURN - TICK);
    private final TimeoutHandler handler = this::fire;
    private TimerQueue timers;
    private long now;
    private long fired;
    private long expected;

    /** For JMH. */
    public QueuedTimers() {
    }

    /** Fills the queue. */
    @Setup
    public void open() {
        timers = queue.open();
        now = System.nanoTime();
        for (int i = 0; i < pending; i++) {
            timers.add(new Timer(handler, this, now + far.next(), Timer.ONCE));
        }
    }

    private void fire(Object token) {
        fired++;
    }

    /** {@return the token of a timer that was scheduled, and cancelled before it was due} */
    @Benchmark
    public Object scheduleAndCancel() {
        Timer timer = new Timer(handler, this, now + far.next(), Timer.ONCE);
        timers.add(timer);
        if (!timer.cancel()) {
            throw new IllegalStateException("it has been cancelled already");
        }
        timers.remove(timer);
        return timer.token();
    }

    /**
     * A turn of the loop: it schedules timers, asks how long to wait, puts its clock forward, and fires them.
     *
     * @return how long it would have waited
     * @throws Exception if the handler throws
     */
    @Benchmark
    @OperationsPerInvocation(EXPIRING)
    public long expire() throws Exception {
        for (int i = 0; i < EXPIRING; i++) {
            timers.add(new Timer(handler, this, now + soon.next(), Timer.ONCE));
        }
        long wait = timers.earliest(now);
        now += TURN;
        for (Timer timer = timers.poll(now); timer != null; timer = timers.poll(now)) {
            timer.fire();
        }
        expected += EXPIRING;
        if (fired != expected || wait > TURN) {
            throw new IllegalStateException(fired + " timers have fired instead of " + expected);
        }
        return wait;
    }

    /** Looks whether the queue is as it was. */
    @TearDown
    public void check() {
        if (timers.size() != pending) {
            throw new IllegalStateException(timers.size() + " timers are pending instead of " + pending);
        }
    }
}
