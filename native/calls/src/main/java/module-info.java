/** The operating system's calls, layouts and constants, and the choice of the binding that makes the calls. */
module dev.sluice.calls {
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.sluice.calls;
    exports dev.sluice.calls.layout;

    uses dev.sluice.calls.BindingProvider;
}
