package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.LoopGroupContract;
import dev.sluice.timer.TimerQueue;
import org.junit.jupiter.api.Test;

class ProactorGroupTest extends ProactorContract implements LoopGroupContract {

    @Override
    public LoopBuilder<ProactorGroup> groups() {
        return ProactorGroup.builder().demultiplexer(demultiplexer).loops(2);
    }

    @Override
    public void closeAfterwards(AutoCloseable resource) {
        own(resource);
    }

    @Test
    void aBuilderMakesSingleProactors() throws Exception {
        LoopBuilder<Proactor> builder = Proactor.builder().demultiplexer(demultiplexer).timers(TimerQueue::wheel);
        assertEquals(demultiplexer, own(builder.open()).demultiplexer());
        if (isShared()) {
            own(builder.multiThreaded(true).open());
        } else {
            assertThrows(IllegalArgumentException.class, () -> builder.multiThreaded(true).open());
        }
        assertThrows(IllegalArgumentException.class, () -> builder.multiThreaded(false).loops(2).open());
    }
}
