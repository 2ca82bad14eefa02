package dev.sluice.benchmarks.seda.hop;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.EventHandlerGroup;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;

/** One Disruptor, all of whose handlers see the same ring, each after the one before. */
final class OneRingChain implements Chain {

    private final Disruptor<RingPlace> disruptor;

    OneRingChain(int stages, int places, Arrivals arrivals) {
        disruptor = new Disruptor<>(RingPlace::new, places, DaemonThreadFactory.INSTANCE, ProducerType.MULTI,
                new BlockingWaitStrategy());
        EventHandlerGroup<RingPlace> group = null;
        for (int i = 1; i <= stages; i++) {
            EventHandler<RingPlace> handler = i == stages
                    ? (place, number, isLast) -> {
                        place.event().handle();
                        arrivals.arrive(place.event());
                    }
                    : (place, number, isLast) -> place.event().handle();
            group = group == null ? disruptor.handleEventsWith(handler) : group.then(handler);
        }
        disruptor.start();
    }

    @Override
    public void enqueue(HopEvent event) {
        disruptor.publishEvent((place, number, next) -> place.put(next), event);
    }

    @Override
    public void close() {
        disruptor.halt();
    }
}
