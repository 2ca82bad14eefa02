package dev.sluice.demultiplexer.spi;

import java.util.List;

/** A provider of demultiplexers for {@link java.util.ServiceLoader}. */
public interface DemultiplexerProvider {

    /** {@return the demultiplexers, including those for other operating systems} */
    List<DemultiplexerFactory> factories();
}
