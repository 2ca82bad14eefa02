package dev.sluice.demultiplexer.spi;

import java.util.List;

/** Announces demultiplexers to {@link java.util.ServiceLoader}. */
public interface DemultiplexerProvider {

    /** {@return what it provides, for this system or another} */
    List<DemultiplexerFactory> factories();
}
