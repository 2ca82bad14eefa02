package dev.sluice.samples.oltp;

import dev.sluice.samples.oltp.pool.PoolModel;
import java.util.stream.Stream;

/** The concurrency models that this Java has. */
public final class PoolModels {

    public static final String AVAILABLE = "dev.sluice.samples.oltp.PoolModels#available";

    private PoolModels() {
    }

    public static Stream<PoolModel> available() {
        return Stream.of(PoolModel.values()).filter(model -> model.unavailable() == null);
    }
}
