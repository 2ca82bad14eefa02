/**
 * The binding over {@code java.lang.foreign}, for Java 22 and later; on an older Java it only reports that it is not
 * available.
 */
module dev.sluice.ffm {
    requires dev.sluice.calls;
    requires static org.jspecify;

    provides dev.sluice.calls.BindingProvider with dev.sluice.ffm.FfmBindingProvider;
}
