package dev.sluice.samples.compare;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.samples.concurrency.ConcurrencyModel;
import java.util.ArrayList;
import java.util.List;

/** A threading model on a handle set. */
record Setup(ConcurrencyModel model, String demultiplexer) {

    /** {@return all that can be had here, per model the best handle set first} */
    static List<Setup> available() {
        List<Setup> setups = new ArrayList<>();
        for (ConcurrencyModel model : ConcurrencyModel.values()) {
            if (model.isAvailable()) {
                Demultiplexers.available().stream()
                        .filter(factory -> model.worksOn(factory) && factory.availability().usable())
                        .map(DemultiplexerFactory::name)
                        // The others would be measured to no purpose: here the handle set does nothing but accept.
                        .limit(model == ConcurrencyModel.THREAD_PER_CONNECTION ? 1 : Long.MAX_VALUE)
                        .forEach(name -> setups.add(new Setup(model, name)));
            }
        }
        return setups;
    }

    @Override
    public String toString() {
        return model + " on " + demultiplexer;
    }
}
