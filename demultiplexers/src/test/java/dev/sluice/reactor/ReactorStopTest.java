package dev.sluice.reactor;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OrderlyStopContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_QUICK)
class ReactorStopTest extends ReactorContract implements OrderlyStopContract {

    @Override
    public EventLoop stopping() {
        return reactor;
    }

    @Override
    public boolean runsOnManyThreads() {
        return isShared();
    }
}
