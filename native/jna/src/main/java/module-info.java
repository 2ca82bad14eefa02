/** The binding over JNA, for Java 17 and later. */
module dev.sluice.jna {
    requires com.sun.jna;
    requires dev.sluice.calls;
    requires static org.jspecify;

    provides dev.sluice.calls.BindingProvider with dev.sluice.jna.JnaBindingProvider;
}
