package dev.sluice.benchmarks.seda.hop;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventTranslatorOneArg;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import java.util.ArrayList;
import java.util.List;

/** A Disruptor for each stage, as in a graph whose handlers decide where an event goes next. */
final class RingsChain implements Chain {

    private static final EventTranslatorOneArg<RingPlace, HopEvent> PUT = (place, number, event) -> place.put(event);

    private final List<Disruptor<RingPlace>> rings = new ArrayList<>();

    RingsChain(int stages, int places, Arrivals arrivals) {
        for (int i = 0; i < stages; i++) {
            rings.add(new Disruptor<>(RingPlace::new, places, DaemonThreadFactory.INSTANCE, ProducerType.MULTI,
                    new BlockingWaitStrategy()));
        }
        for (int i = 0; i < stages; i++) {
            Disruptor<RingPlace> next = i + 1 < stages ? rings.get(i + 1) : null;
            rings.get(i).handleEventsWith((place, number, isLast) -> {
                HopEvent event = place.event();
                event.handle();
                if (next == null) {
                    arrivals.arrive(event);
                } else {
                    next.publishEvent(PUT, event);
                }
            });
        }
        rings.forEach(Disruptor::start);
    }

    @Override
    public void enqueue(HopEvent event) {
        rings.get(0).publishEvent(PUT, event);
    }

    @Override
    public void close() {
        rings.forEach(Disruptor::halt);
    }
}
