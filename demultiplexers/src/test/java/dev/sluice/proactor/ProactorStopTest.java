package dev.sluice.proactor;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OrderlyStopContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_QUICK)
class ProactorStopTest extends ProactorContract implements OrderlyStopContract {

    @Override
    public EventLoop stopping() {
        return proactor;
    }

    @Override
    public boolean runsOnManyThreads() {
        return isShared();
    }
}
