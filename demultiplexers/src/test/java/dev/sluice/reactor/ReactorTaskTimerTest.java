package dev.sluice.reactor;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopTimerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_QUICK)
class ReactorTaskTimerTest extends ReactorContract implements LoopTimerContract {

    @Override
    public EventLoop timed() {
        return reactor;
    }

    @Override
    public boolean runsOnManyThreads() {
        return isShared();
    }
}
