/** The demultiplexers of the operating systems; nothing to call directly, they are found through the API. */
module dev.sluice.demultiplexers {
    requires dev.sluice.calls;
    requires dev.sluice.core;
    requires org.slf4j;
    requires static org.jspecify;

    provides dev.sluice.demultiplexer.spi.DemultiplexerProvider
            with dev.sluice.demultiplexer.standard.StandardDemultiplexers;
}
