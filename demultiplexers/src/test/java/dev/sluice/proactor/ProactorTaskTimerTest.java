package dev.sluice.proactor;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopTimerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_QUICK)
class ProactorTaskTimerTest extends ProactorContract implements LoopTimerContract {

    @Override
    public EventLoop timed() {
        return proactor;
    }

    @Override
    public boolean runsOnManyThreads() {
        return isShared();
    }
}
