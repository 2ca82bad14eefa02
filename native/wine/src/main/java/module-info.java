/** For tests: the calls of Windows on Linux, made by a program under Wine. */
module dev.sluice.wine {
    requires com.sun.jna;
    requires dev.sluice.calls;
    requires org.slf4j;

    provides dev.sluice.calls.BindingProvider with dev.sluice.wine.WineBindingProvider;
}
