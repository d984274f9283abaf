# tabs here
if total:
	total = total * 2
	if not total: raise ValueError, 'none'
