package dev.sluice.samples.web.protocol;

/** The conditions a request may set on the version of a file, in the order of RFC 9110 section 13.2.2. */
final class Preconditions {

    private Preconditions() {
    }

    /**
     * {@link Status#OK} if the request is to be carried out, else {@link Status#PRECONDITION_FAILED} or
     * {@link Status#NOT_MODIFIED}. A date that is none sets no condition (sections 13.1.3 and 13.1.4).
     *
     * @param tag      the current entity tag
     * @param modified the second in which the file was modified last
     * @param now      the current second
     */
    static Status evaluate(Request request, String tag, long modified, long now) {
        String match = request.field("if-match");
        if (match != null) {
            if (!EntityTags.match(match, tag, false)) {
                return Status.PRECONDITION_FAILED;
            }
        } else if (modified > date(request, "if-unmodified-since", now, Long.MAX_VALUE)) {
            return Status.PRECONDITION_FAILED;
        }
        String noneMatch = request.field("if-none-match");
        if (noneMatch != null) {
            return EntityTags.match(noneMatch, tag, true) ? Status.NOT_MODIFIED : Status.OK;
        }
        return modified <= date(request, "if-modified-since", now, HttpDate.NONE) ? Status.NOT_MODIFIED : Status.OK;
    }

    /**
     * Whether a file may be replaced. What is not there has no tag, and no date that could be too late.
     *
     * @param tag the current entity tag; null if there is no file
     */
    static boolean permitChange(Request request, String tag, long modified, long now) {
        String match = request.field("if-match");
        if (match != null) {
            if (tag == null || !EntityTags.match(match, tag, false)) {
                return false;
            }
        } else if (tag != null && modified > date(request, "if-unmodified-since", now, Long.MAX_VALUE)) {
            return false;
        }
        String noneMatch = request.field("if-none-match");
        return noneMatch == null || tag == null || !EntityTags.match(noneMatch, tag, true);
    }

    /**
     * Whether the Range field counts (section 13.1.5). A date only does if it is exact, and if its second is over: the
     * file may change once more before that (section 8.8.2.2).
     */
    static boolean rangeApplies(Request request, String tag, long modified, long now) {
        String validator = request.field("if-range");
        if (validator == null) {
            return true;
        }
        return validator.startsWith("\"") ? validator.equals(tag)
                : modified < now && HttpDate.parse(validator, now) == modified;
    }

    private static long date(Request request, String field, long now, long fallback) {
        String value = request.field(field);
        long date = value == null ? HttpDate.NONE : HttpDate.parse(value, now);
        return date == HttpDate.NONE ? fallback : date;
    }
}
