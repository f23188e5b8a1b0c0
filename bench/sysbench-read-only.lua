-- sysbench's oltp_read_only, whose transactions say that they only read.
require("oltp_read_only")

function prepare_begin()
   stmt.begin = con:prepare("START TRANSACTION READ ONLY")
end
